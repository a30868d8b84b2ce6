export function needChromium(): void;
export function findChromium(env?: NodeJS.ProcessEnv): string | undefined;
