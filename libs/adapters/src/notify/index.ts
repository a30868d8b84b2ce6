export { commandNotifier } from "./command.ts";
export { desktopNotifier, desktopProgram } from "./desktop.ts";
export { emailNotifier, smtpProblem } from "./email.ts";
export { githubNotifier } from "./github.ts";
export { slackNotifier } from "./slack.ts";
export { webhookNotifier } from "./webhook.ts";
