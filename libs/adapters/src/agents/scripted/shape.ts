import { isRecord } from "@anneal/types/unknown";
/** Reads a value of unknown shape; throws a ShapeError that names the location where it does not fit. */
export type ValueReader<T> = (value: unknown, place: string) => T;

export class ShapeError extends Error {
  override readonly name = "ShapeError";
}

export const text: ValueReader<string> = (value, place) => {
  if (typeof value !== "string") throw misfit(place, "a string", value);
  return value;
};

export const flag: ValueReader<boolean> = (value, place) => {
  if (typeof value !== "boolean") throw misfit(place, "true or false", value);
  return value;
};

/** A number from 0 on: counts, durations, costs. */
export const amount: ValueReader<number> = (value, place) => {
  if (typeof value !== "number" || !Number.isFinite(value) || value < 0)
    throw misfit(place, "a number from 0 on", value);
  return value;
};

export const count: ValueReader<number> = (value, place) => {
  if (!Number.isSafeInteger(amount(value, place))) throw misfit(place, "a whole number", value);
  return amount(value, place);
};

export const anything: ValueReader<unknown> = (value) => value;

export function oneOf<const T extends string>(...words: T[]): ValueReader<T> {
  return (value, place) => {
    const word = words.find((one) => one === value);
    if (word === undefined) throw misfit(place, words.map((one) => `"${one}"`).join(" or "), value);
    return word;
  };
}

export function listOf<T>(item: ValueReader<T>): ValueReader<T[]> {
  return (value, place) => {
    if (!Array.isArray(value)) throw misfit(place, "a list", value);
    return value.map((one, i) => item(one, `${place}[${i}]`));
  };
}

export const object: ValueReader<Record<string, unknown>> = (value, place) => {
  if (!isRecord(value)) throw misfit(place, "an object", value);
  return value;
};

type Fields = Record<string, ValueReader<unknown>>;
type Read<F extends Fields> = { [K in keyof F]: ReturnType<F[K]> };

/** An object with exactly these keys: a misspelt key is an error, not something to ignore. */
export function record<R extends Fields, O extends Fields>(
  required: R,
  optional: O,
): ValueReader<Read<R> & Partial<Read<O>>> {
  const known = { ...required, ...optional };
  return (value, place) => {
    const given = object(value, place);
    const stray = Object.keys(given).find((key) => !Object.hasOwn(known, key));
    if (stray !== undefined)
      throw new ShapeError(`${place} has no key "${stray}", only ${Object.keys(known).join(", ")}`);
    const missing = Object.keys(required).find((key) => given[key] === undefined);
    if (missing !== undefined) throw new ShapeError(`${place} needs the key "${missing}"`);
    const entries = Object.entries(known).filter(([key]) => given[key] !== undefined);
    // The two loops above have shown that the keys are the ones of the type.
    return Object.fromEntries(entries.map(([key, shape]) => [key, shape(given[key], `${place}.${key}`)])) as Read<R> &
      Partial<Read<O>>;
  };
}

/** Parses JSON and reads it, with the file's name in front of what is wrong. */
export function readJson<T>(json: string, shape: ValueReader<T>, root: string, file: string): T {
  try {
    return shape(JSON.parse(json), root);
  } catch (cause) {
    if (!(cause instanceof ShapeError || cause instanceof SyntaxError)) throw cause;
    const what =
      cause instanceof SyntaxError ? `it is not JSON (${cause.message.replace(/\s+/g, " ")})` : cause.message;
    throw new ShapeError(`${file}: ${what}`, { cause });
  }
}

function misfit(place: string, wanted: string, value: unknown): ShapeError {
  const shown = value === undefined ? "nothing" : JSON.stringify(value).slice(0, 60);
  return new ShapeError(`${place} must be ${wanted}, not ${shown}`);
}
