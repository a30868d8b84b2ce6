export { channelProblems, type NotifySettings } from "./channels.ts";
export { notificationsShown, notificationTroubles, sendTestMessage } from "./shown.ts";
