/** What is asked for the group `pii`; what can be recognised by its form is found by rules besides (understanding/pii/). */
export const ENTITIES = {
  shape: '[{"type": "PERSON" | "ADDRESS" | …, "text": "words of the call"}]',
  about: (types: readonly string[]) =>
    `Every piece of personal data, of the customer, the agent or anybody else, exactly as it stands in the call, spoken digits too. Types: ${types.join(", ")}. PERSON is a name or surname, ADDRESS a street with what belongs to it. Names of companies, products, cities alone and months are none. [] when there is none.`,
};
