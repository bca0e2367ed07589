import type { Call, Role } from "../../understanding/types.ts";

/** A short call, and what a good model says about it, by field. */
export interface KnownCall {
  call: Call;
  good: Record<string, unknown>;
}

/** Calls that the evaluations of understanding are made of. Nobody in them is real. */
export const CALLS: readonly KnownCall[] = [
  known(
    "es",
    [
      "agent: Buenas tardes, habla con Nuria Peral, ¿qué necesita?",
      "customer: Mire, soy Andrés Villalba y llevo tres días sin internet en casa, esto es una vergüenza.",
      "agent: Entiendo, señor Villalba. Veo una avería en su zona.",
      "customer: Pues ya podían avisar, joder, que trabajo desde casa.",
      "agent: Mañana por la mañana pasa un técnico por su domicilio.",
      "customer: De acuerdo, espero que venga.",
    ],
    {
      topic_detection: [{ label: "tech_outage", relevance: 0.9 }],
      summarization: [
        "El cliente lleva tres días sin internet en casa por una avería en su zona.",
        "Un técnico pasa mañana por la mañana por el domicilio.",
      ],
      action_items: [{ text: "Enviar un técnico al domicilio", owner: null, due: "mañana por la mañana" }],
      sentiment_analysis: {
        overall: "negative",
        turns: [
          { turn: 1, sentiment: "negative" },
          { turn: 3, sentiment: "negative" },
        ],
      },
      content_moderation: [],
      profanity_filter: ["joder"],
      pii_redaction: [
        { type: "PERSON", text: "Nuria Peral" },
        { type: "PERSON", text: "Andrés Villalba" },
        { type: "PERSON", text: "Villalba" },
      ],
    },
  ),
  known(
    "en",
    [
      "agent: Thank you for calling Brightwater Insurance, this is Helen speaking.",
      "customer: Hi Helen, this is Marcus Oakley, somebody drove into my car last night and I want to open a claim.",
      "agent: I'm sorry, Marcus. Was anybody hurt?",
      "customer: No, thank God, but the driver shouted that he would come back and break my legs.",
      "agent: Please report that to the police. I'll open the claim today and a loss adjuster will ring you on Thursday.",
      "customer: That's terribly disappointing, I need the car for work.",
    ],
    {
      topic_detection: [{ label: "insurance_claim", relevance: 0.95 }],
      summarization: [
        "Marcus Oakley opens a claim because somebody drove into his car last night.",
        "A loss adjuster will ring on Thursday.",
      ],
      action_items: [{ text: "Open the claim today", owner: null, due: "today" }],
      sentiment_analysis: { overall: "negative", turns: [{ turn: 5, sentiment: "negative" }] },
      content_moderation: [{ category: "violence", severity: 0.7, excerpt: "come back and break my legs" }],
      profanity_filter: [],
      pii_redaction: [
        { type: "PERSON", text: "Helen" },
        { type: "PERSON", text: "Marcus Oakley" },
        { type: "PERSON", text: "Marcus" },
      ],
    },
  ),
  known(
    "es",
    [
      "agent: Atención al cliente, le atiende Sergio.",
      "customer: Hola Sergio, me llamo Rosa Maldonado. Quiero dar de baja el contrato porque me cobran dos veces la cuota.",
      "agent: Lo reviso. Efectivamente hay un cobro duplicado en febrero.",
      "customer: Estoy harta, es la segunda vez que pasa y nadie responde.",
      "agent: Hoy mismo abro una reclamación y le devolvemos la cuota en cinco días.",
      "customer: Si no lo arreglan me voy a otra compañía.",
    ],
    {
      topic_detection: [
        { label: "billing_error", relevance: 0.9 },
        { label: "contract_cancel", relevance: 0.7 },
      ],
      summarization: [
        "La clienta quiere dar de baja el contrato porque le cobran dos veces la cuota.",
        "Hay un cobro duplicado en febrero y se abre una reclamación hoy.",
      ],
      action_items: [{ text: "Devolver la cuota duplicada", owner: null, due: "en cinco días" }],
      sentiment_analysis: {
        overall: "negative",
        turns: [
          { turn: 1, sentiment: "negative" },
          { turn: 3, sentiment: "negative" },
          { turn: 5, sentiment: "negative" },
        ],
      },
      content_moderation: [],
      profanity_filter: [],
      pii_redaction: [
        { type: "PERSON", text: "Sergio" },
        { type: "PERSON", text: "Rosa Maldonado" },
      ],
    },
  ),
  known(
    "en",
    [
      "agent: Good afternoon, Parcel Line, my name is Owen Fletcher.",
      "customer: Good afternoon. It's Priya Nair, my parcel was due on Monday and the driver left it in the rain.",
      "agent: I'm very sorry. Is the content damaged?",
      "customer: Completely soaked, and your driver was bloody rude on top of it.",
      "agent: I'll arrange a pickup for tomorrow and refund the delivery.",
      "customer: Fine, but I'm not happy at all.",
    ],
    {
      topic_detection: [
        { label: "logistics_delivery", relevance: 0.9 },
        { label: "complaint_service", relevance: 0.7 },
      ],
      summarization: [
        "Priya Nair complains that the driver left her parcel in the rain and was rude.",
        "A pickup is arranged for tomorrow and the delivery refunded.",
      ],
      action_items: [{ text: "Arrange a pickup of the parcel", owner: null, due: "tomorrow" }],
      sentiment_analysis: {
        overall: "negative",
        turns: [
          { turn: 3, sentiment: "negative" },
          { turn: 5, sentiment: "negative" },
        ],
      },
      content_moderation: [],
      profanity_filter: ["bloody"],
      pii_redaction: [
        { type: "PERSON", text: "Owen Fletcher" },
        { type: "PERSON", text: "Priya Nair" },
      ],
    },
  ),
];

function known(language: string, turns: string[], good: Record<string, unknown>): KnownCall {
  return { call: { language, utterances: turns.map(turnOf) }, good };
}

/** `agent: …` or `customer: …`. */
export function turnOf(turn: string, index: number): Call["utterances"][number] {
  const [, role, text] = /^(agent|customer): (.*)$/su.exec(turn) as unknown as [string, Role, string];
  return { speaker: role === "agent" ? "0" : "1", speakerRole: role, text, start: index, end: index + 0.9 };
}
