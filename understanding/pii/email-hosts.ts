/** What an address ends in, and names of providers, which people say without it. */
export const ENDINGS = new Set(
  "com es net org edu gov info biz eu cat gal eus io co uk mx ar cl pe ve ec uy py bo cr us ca au nz de fr it pt ie me tv app dev punto com.mx co.uk gob gmx coop barcelona online store shop tech site club xyz".split(
    " ",
  ),
);
export const PROVIDERS = new Set(
  "gmail hotmail outlook yahoo icloud live msn aol protonmail proton telefonica movistar orange vodafone ono terra ymail googlemail btinternet comcast verizon mail gmx hotmeil jotmail gemail yimeil jimail".split(
    " ",
  ),
);
