import type { AddressInfo } from "node:net";
import { type ParsedMail, simpleParser } from "mailparser";
import { SMTPServer } from "smtp-server";

/** What the server says to the next message: a code, or null where it takes it. */
export type MailPlay = number | null | "hang" | "cut";

export interface MailServerOptions {
  /** What it says to messages, one after the other; the last one stays. */
  data?: MailPlay[];
  login?: { user: string; pass: string };
  tls?: { secure: boolean };
}

/** A real mail server on this machine. */
export async function mailServer({ data = [null], login, tls }: MailServerOptions = {}) {
  const mails: ParsedMail[] = [];
  let asked = 0;
  const server = new SMTPServer({
    logger: false,
    authOptional: login === undefined,
    ...(tls === undefined ? { disabledCommands: ["STARTTLS"], hideSTARTTLS: true } : { ...tls }),
    allowInsecureAuth: tls === undefined,
    onAuth({ username, password }, _session, done) {
      const isKnown = username === login?.user && password === login?.pass;
      done(isKnown ? null : refusal(535), isKnown ? { user: username } : undefined);
    },
    onData(stream, _session, done) {
      const play = data[Math.min(asked, data.length - 1)] ?? null;
      asked += 1;
      simpleParser(stream).then((mail) => {
        if (play === "hang") return;
        if (play === "cut") return void cut();
        if (play !== null) return void done(refusal(play));
        mails.push(mail);
        done(null);
      }, done);
    },
  });
  const cut = () => {
    for (const connection of server.connections) connection.close();
  };
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const { port } = server.server.address() as AddressInfo;
  const who = login === undefined ? "" : `${encodeURIComponent(login.user)}:${encodeURIComponent(login.pass)}@`;
  return {
    url: `${tls?.secure === true ? "smtps" : "smtp"}://${who}127.0.0.1:${port}`,
    mails,
    asked: () => asked,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

function refusal(responseCode: number): Error {
  return Object.assign(new Error("the server's own words: password secret-part"), { responseCode });
}
