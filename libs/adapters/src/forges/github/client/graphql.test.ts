import { schema } from "@octokit/graphql-schema";
import { buildSchema, parse, validate } from "graphql";
import { expect, test } from "vitest";
import { DOCUMENTS } from "./graphql.ts";

const published = buildSchema(schema.idl, { assumeValidSDL: true, assumeValid: true });

test.for(Object.entries(DOCUMENTS))("the document %s is in GitHub's published schema", ([, document]) => {
  expect(validate(published, parse(document)).map(({ message }) => message)).toEqual([]);
});

test("a document that is not in it is noticed", () => {
  const wrong = parse(DOCUMENTS.threads.replace("isResolved", "isSolved"));
  expect(validate(published, wrong)).toHaveLength(1);
});
