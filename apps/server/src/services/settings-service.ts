export { LiveSettings as SettingsService } from "../settings/live-settings.ts";
