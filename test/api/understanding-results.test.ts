import test from "ava";
import { piiResult, understandingResults } from "../../api/schemas/understanding-results.ts";
import { PII_TYPES } from "../../understanding/pii/types.ts";
import { MODERATION_CATEGORIES } from "../../understanding/types.ts";

// `api/` may not import `understanding/`, so that each has its own list of these.

test("the kinds of personal data that the API names are those that are looked for", (t) => {
  t.deepEqual([...piiResult.shape.entities.element.shape.type.options], [...PII_TYPES]);
});

test("the categories of moderation that the API names are those that are asked for", (t) => {
  const { findings } = understandingResults.shape.content_moderation.unwrap().shape;
  t.deepEqual([...findings.element.shape.category.options], [...MODERATION_CATEGORIES]);
});
