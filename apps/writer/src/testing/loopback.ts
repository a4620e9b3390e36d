/** Every port of this machine as an operator's own, for receivers that listen on any free one. */
import type { OwnHosts } from "../alerts/receiver.ts";

export const LOOPBACK: OwnHosts = { has: (origin) => /^https?:\/\/(?:127\.0\.0\.1|localhost):/.test(origin) };
