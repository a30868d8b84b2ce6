import { htmlOf, textOf } from "@anneal/core/notify";
import type { NotifyMessage } from "@anneal/types";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import type { Notifier, SendResult } from "../ports.ts";
import { isLoopback } from "../reviewers/webhook/address.ts";

export interface EmailSetup {
  /** `smtps://USER:PASSWORD@HOST:PORT`, or `smtp://…`, which has to offer STARTTLS unless it is on this machine. */
  smtpUrl: string;
  from: string;
  to: readonly string[];
  timeoutMs?: number;
  /** Certificates to trust besides the usual ones. */
  ca?: string;
}

const TIMEOUT_MS = 20_000;

/** Mail by SMTP, over TLS wherever it leaves this machine. */
export function emailNotifier({ timeoutMs = TIMEOUT_MS, ...setup }: EmailSetup): Notifier {
  return {
    name: "email",
    async send(message, signal) {
      const server = serverAt(setup.smtpUrl);
      if (typeof server === "string") return { result: "refused", why: server };
      const { default: Connection } = await import("nodemailer/lib/smtp-connection");
      const { auth, isLocal, ...where } = server;
      const connection = new Connection({
        ...where,
        requireTLS: !where.secure && !isLocal,
        // This machine's own server rarely has a certificate.
        ignoreTLS: !where.secure && isLocal,
        allowInternalNetworkInterfaces: true,
        connectionTimeout: timeoutMs,
        greetingTimeout: timeoutMs,
        socketTimeout: timeoutMs,
        ...(setup.ca === undefined ? {} : { tls: { ca: setup.ca } }),
      });
      const called = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      return await talk(connection, { setup, auth, message, called });
    },
  };
}

interface SmtpServer {
  host: string;
  port: number;
  secure: boolean;
  isLocal: boolean;
  auth: { user: string; pass: string } | null;
}

/** What is wrong with the address of a mail server; null where nothing is. It never shows the address. */
export function smtpProblem(url: string): string | null {
  const server = serverAt(url);
  return typeof server === "string" ? server : null;
}

function serverAt(url: string): SmtpServer | string {
  const address = URL.parse(url);
  if (address === null || !/^smtps?:$/.test(address.protocol) || address.hostname === "")
    return "the address of the mail server must be smtps://USER:PASSWORD@HOST, or smtp://…";
  const { hostname, protocol, port, username, password } = address;
  const secure = protocol === "smtps:";
  const auth = username === "" ? null : { user: decoded(username), pass: decoded(password) };
  const host = hostname.replace(/^\[|\]$/g, "");
  return { host, port: Number(port) || (secure ? 465 : 587), secure, isLocal: isLoopback(hostname), auth };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

interface Mail {
  setup: Omit<EmailSetup, "timeoutMs">;
  auth: SmtpServer["auth"];
  message: NotifyMessage;
  called: AbortSignal;
}

async function talk(connection: SMTPConnection, { setup, auth, message, called }: Mail): Promise<SendResult> {
  let isSending = false;
  const failed = Promise.withResolvers<never>();
  const give = () => failed.reject(new Error("no answer"));
  connection.on("error", failed.reject);
  connection.on("end", give);
  called.addEventListener("abort", give, { once: true });
  // Nobody may be waiting for it any more.
  failed.promise.catch(() => {});
  const step = (act: (done: (error?: Error | null) => void) => void) =>
    Promise.race([failed.promise, new Promise<void>((resolve, reject) => act((e) => (e ? reject(e) : resolve())))]);
  try {
    called.throwIfAborted();
    await step((done) => connection.connect(done));
    if (auth !== null) await step((done) => connection.login({ credentials: auth, ...auth }, done));
    const { envelope, raw } = await composed(setup, message);
    isSending = true;
    await step((done) => connection.send(envelope, raw, (error) => done(error)));
    return { result: "sent" };
  } catch (error) {
    return failureOf(error, isSending);
  } finally {
    called.removeEventListener("abort", give);
    connection.close();
  }
}

async function composed({ from, to }: Pick<EmailSetup, "from" | "to">, message: NotifyMessage) {
  const { default: Composer } = await import("nodemailer/lib/mail-composer");
  const mail = new Composer({
    from,
    to: [...to],
    subject: message.title,
    // The same for the same message, so that mail programs show it once.
    messageId: `<${message.key.replace(/[^A-Za-z0-9.-]/g, ".")}@anneal>`,
    headers: { "auto-submitted": "auto-generated" },
    text: textOf(message),
    html: htmlOf(message),
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  const { from: sender, to: people } = mail.getEnvelope();
  return { envelope: { from: sender || "", to: people }, raw: await mail.build() };
}

/** Codes of 4xx pass by themselves, those of 5xx do not. Never the server's words, which may repeat what we said. */
function failureOf(error: unknown, isSending: boolean): SendResult {
  const { responseCode, code } = error as { responseCode?: unknown; code?: unknown };
  if (typeof responseCode === "number" && responseCode > 0) {
    const why = `the mail server answered ${responseCode}`;
    const hint = responseCode === 535 ? " (wrong user name or password)" : "";
    return responseCode < 500
      ? { result: "later", why, retryAfterMs: null }
      : { result: "refused", why: `${why}${hint}` };
  }
  if (code === "ETLS") return { result: "refused", why: "the mail server does not offer TLS" };
  const said = typeof code === "string" ? code : "no answer";
  if (isSending) return { result: "unclear", why: `the connection to the mail server broke (${said})` };
  return { result: "later", why: `the mail server could not be reached (${said})`, retryAfterMs: null };
}
