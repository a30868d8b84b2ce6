export const IS_MAC = /mac|iphone|ipad/i.test(navigator.platform);
