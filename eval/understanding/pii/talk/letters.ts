import type { Language } from "../types.ts";
import type { Manner } from "./manner.ts";

const NAMES: Record<Language, string> = {
  es: "a be ce de e efe ge hache i jota ka ele eme ene o pe cu erre ese te u uve uve_doble equis i_griega zeta",
  en: "a bee see dee e eff gee aitch i jay kay el em en o pee queue are ess tee you vee double_u ex why zee",
};

const EXAMPLES: Record<Language, string> = {
  es: "Alicante,avión Barcelona,burro,Bilbao casa,Cuenca,coche dado,Dinamarca,dedo España,Elena Francia,foca Gerona,gato huevo,Huelva Italia,iglesia Jaén,jirafa kilo,Kenia Lugo,limón,Lérida Madrid,mamá,Málaga Navarra,noche Oviedo,oso París,pato,Pamplona queso ratón,Roma Sevilla,sapo Toledo,Tarragona uva,Úbeda Valencia,vaca Washington,web xilófono yate,yegua Zaragoza,zapato",
  en: "apple,Adam boy,Bravo,Bob cat,Charlie dog,David,delta easy,Edward,echo Frank,fish,foxtrot George,golf Henry,hotel,house India,Ida,igloo John,Juliet kilo,king,kite Larry,Lima,lion Mary,Mike,mother Nancy,November,Nora orange,Oscar,ocean Peter,papa,Paul queen,Quebec Robert,Romeo,red Sam,sugar,Sierra Tom,tango uncle,uniform Victor,violet William,whiskey,water x-ray yellow,Yankee zebra,Zulu",
};

const CODE =
  "Alpha Bravo Charlie Delta Echo Foxtrot Golf Hotel India Juliet Kilo Lima Mike November Oscar Papa Quebec Romeo Sierra Tango Uniform Victor Whiskey X-ray Yankee Zulu".split(
    " ",
  );

/** Letters one after the other, as this person says them. */
export function sayLetters(letters: string, manner: Manner): string {
  const all = [...letters];
  switch (manner.letters) {
    case "glued":
      return letters;
    case "capitals":
      return all.join(" ");
    case "dotted":
      return all.join(manner.random.pick(["-", ", ", ". "]));
    case "lower":
      return all.join(" ").toLowerCase();
    default:
      return all.map((letter) => sayLetter(letter, manner)).join(manner.random.pick([" ", ", "]));
  }
}

export function sayLetter(letter: string, { language, letters, random }: Manner): string {
  const at = letter.toUpperCase().charCodeAt(0) - 65;
  const of = (list: string) => list.split(" ")[at] ?? letter;
  const name = of(NAMES[language]).replace("_", " ");
  const example = random.pick(of(EXAMPLES[language]).split(","));
  if (letters === "code") return CODE[at] ?? letter;
  if (letters === "like") {
    if (language === "en") return `${letter} ${random.pick(["as in", "for", "like", "as in"])} ${example}`;
    return `${random.pick([letter, name, name])} de ${example}`;
  }
  if (letters === "names") return language === "en" && random.chance(0.6) ? letter : name;
  return letter;
}
