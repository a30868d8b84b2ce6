import { type TempFolder, tempFolder } from "../../../../system/src/testing/temp-folder.ts";

/** A diamond of tickets with all the fields that real epics have. */
export const LIMITS = `name: limits
description: Limit how often a key may call
context: |
  The service is public.
  Nobody counts calls today.
objectives: [Refuse calls above the limit]
constraints: [No new service]
acceptance_criteria:
  - A key that calls too often is refused
rollback_on_failure: true
coordination_requirements:
  function_profiles:
    Bucket:
      take_token: { arity: 2, intent: Take one token, signature: "(key, now)" }
  directory_structure: { src: limits/ }
  breaking_changes_prohibited: [The route table]
owner: kept
tickets:
  - name: config
    description: Read limits from the configuration
    acceptance_criteria: [Limits are read at start]
    files_to_modify: [src/config.ts]
    dependencies: []
    critical: true
    estimate: 2
  - name: bucket
    description: A token bucket per key
    acceptance_criteria:
      - The 11th call is refused
    dependencies: [config]
    critical: true
  - name: headers
    description: Tell callers how long to wait
    depends_on: [config]
    critical: false
  - name: route
    description: Limit the routes
    dependencies: [bucket]
    depends_on: [headers]
    critical: true
`;

export const BUCKET_FILE = `# Token bucket

**Ticket ID:** bucket

## Description

One bucket per key, with a clock that tests can hold still.

## Acceptance Criteria

- The 11th call is refused
- A bucket fills again after a second

## Files to Modify

- \`src/limits/bucket.ts\`

## Dependencies

- **config**: gives the limits
`;

export interface SampleEpic extends TempFolder {
  file: string;
}

/** A project with one epic; files are named from the epic's folder. */
export function sampleEpic(
  yaml: string | Uint8Array = LIMITS,
  files: Record<string, string> = {},
  id = "limits",
): SampleEpic {
  const folder = tempFolder();
  const file = folder.write(`.epics/${id}/${id}.epic.yaml`, yaml);
  for (const [name, text] of Object.entries(files)) folder.write(`.epics/${id}/${name}`, text);
  return { ...folder, file };
}
