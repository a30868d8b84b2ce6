import type { ApiPrompt, ApiSettings } from "@anneal/types";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { globalSettingsQuery, projectSettingsQuery, promptsQuery } from "../api/queries.ts";
import { useSettings } from "../components/views/settings-view/parts/use-settings.ts";
import { PromptCustomizationSection } from "../components/views/settings-view/prompts/prompt-customization-section.tsx";

const PROMPTS = [
  { key: "reviewSystemPrompt", title: "System prompt", text: "Judge it." },
  { key: "reviewPromptTemplate", title: "Prompt template", text: "Look at {gitDiff}." },
] as const;

const prompt = ({ key, title, text }: (typeof PROMPTS)[number]): ApiPrompt => ({
  ...{ key, title, default: text, custom: null, global: null, enabled: false, inUse: text, from: "default" },
  ...{ characters: text.length, variables: [], lint: { unknown: [], missing: [], notes: [] } },
});

const file = (scope: ApiSettings["scope"], settings: Record<string, unknown>): ApiSettings => ({
  ...{ scope, file: "settings.json", exists: true, version: "1", settings, inForce: settings },
  ...{ problem: null, problems: [], stopsLoops: false },
});

function Section() {
  const { settings } = useSettings({ scope: "project", project: "p" });
  return settings === null ? null : createElement(PromptCustomizationSection, { settings });
}

/** The section as it is drawn first, for a project that says this about its prompts. */
function drawn(codeReview: Record<string, unknown>): string {
  const client = new QueryClient();
  client.setQueryData(promptsQuery("p").queryKey, { prompts: PROMPTS.map(prompt), version: "1" });
  client.setQueryData(globalSettingsQuery.queryKey, file("global", {}));
  const own = file("project", { promptCustomization: { codeReview } });
  client.setQueryData(projectSettingsQuery("p").queryKey, own);
  return renderToStaticMarkup(createElement(QueryClientProvider, { client }, createElement(Section)));
}

const areas = (html: string) =>
  [...html.matchAll(/<textarea([^>]*)>([^<]*)<\/textarea>/g)].map(([, attributes = "", text]) => ({
    text,
    readOnly: /\breadonly\b/i.test(attributes),
  }));
const buttons = (html: string, name: string) =>
  [...html.matchAll(/<button([^>]*)>([^<]*)<\/button>/g)]
    .filter(([, , text]) => text === name)
    .map(([, attributes = ""]) => (/\bdisabled=""/.test(attributes) ? "off" : "on"));

describe("the section Code Review of the prompts (seed 000)", () => {
  const nothing = drawn({});
  const own = drawn({ reviewSystemPrompt: { enabled: true, value: "Look at rhymes." } });

  test("has a tab of that name and two text areas", () => {
    expect(nothing).toMatch(/role="tab"[^>]*>Code Review</);
    expect(areas(nothing)).toHaveLength(2);
  });

  test("has a switch between custom and default for each", () => {
    const switches = [...own.matchAll(/role="switch" aria-checked="(\w+)"[^>]*aria-label="Use custom ([^"]+)"/g)];
    expect(switches.map(([, isOn, name]) => [name, isOn])).toEqual([
      ["system prompt", "true"],
      ["prompt template", "false"],
    ]);
    expect([...own.matchAll(/Use (?:Custom|Default)/g)].map(([text]) => text)).toEqual(["Use Custom", "Use Default"]);
  });

  test("shows the default to read while it is off, and one's own text to edit while it is on", () => {
    expect(areas(nothing)).toEqual(PROMPTS.map(({ text }) => ({ text, readOnly: true })));
    expect(areas(own)).toEqual([
      { text: "Look at rhymes.", readOnly: false },
      { text: "Look at {gitDiff}.", readOnly: true },
    ]);
    const off = drawn({ reviewSystemPrompt: { enabled: false, value: "Kept for later." } });
    expect(areas(off)[0]).toEqual({ text: "Judge it.", readOnly: true });
  });

  test("counts the characters of each", () => {
    const counts = (html: string) => [...html.matchAll(/>([\d,]+) characters/g)].map(([, count]) => count);
    expect(counts(nothing)).toEqual(["9", "18"]);
    expect(counts(own)).toEqual(["15", "18"]);
    expect(counts(drawn({ reviewSystemPrompt: { enabled: true, value: "x".repeat(1_234) } }))[0]).toBe("1,234");
  });

  test("resets each, and all of them, where there is a text of one's own", () => {
    expect(buttons(nothing, "Reset to Default")).toEqual(["off", "off"]);
    expect(buttons(own, "Reset to Default")).toEqual(["on", "off"]);
    expect(buttons(nothing, "Reset All Code Review Prompts")).toEqual(["off"]);
    expect(buttons(own, "Reset All Code Review Prompts")).toEqual(["on"]);
  });
});
