/** What a command promises: it reads its own arguments and answers with an exit code. */
export interface Command {
  help: string;
  run(args: string[]): Promise<number>;
}
