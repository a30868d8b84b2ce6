/** So many lines of TypeScript, with what there is to colour in code. */
export function codeOf(lines: number, name: string): string {
  return text(lines, (n) => {
    if (n % 7 === 0) return `export async function ${name}${n}(value: string, count: number): Promise<string[]> {`;
    if (n % 7 === 6) return "}";
    return `  const part${n} = await read(value.slice(${n}), { count: count + ${n}, name: "${name} ${n}" }); // step ${n}`;
  });
}

/** A lock file of about so many lines. */
export function lockOf(lines: number): string {
  const hash = "0123456789abcdef".repeat(5);
  const entry = (n: number) =>
    `    "node_modules/package-${n}": {
      "version": "1.0.${n}",
      "resolved": "https://registry.example.org/package-${n}/-/package-${n}-1.0.${n}.tgz",
      "integrity": "sha512-${hash}${n}=="
    },`;
  return `{\n  "lockfileVersion": 3,\n  "packages": {\n${text(lines / 5, entry)}  }\n}\n`;
}

/** A prompt of so many characters, in lines as people write them. */
export function promptOf(length: number): string {
  const line = (n: number) => `${n}. Look whether the change keeps rule ${n} of ours, and say so where it does not.`;
  return text(length / line(1_000).length, line).slice(0, length);
}

function text(lines: number, line: (n: number) => string): string {
  return `${Array.from({ length: Math.round(lines) }, (_, n) => line(n)).join("\n")}\n`;
}
