/** What went wrong on a network, in one word that logs, metrics and the status share. */

/** Codes of a name that was not found, or that no name server could be asked for. */
const NAME_FAULTS: ReadonlySet<string> = new Set(["ENOTFOUND", "EAI_AGAIN", "EAI_FAIL", "EAI_NODATA", "EAI_NONAME"]);
const TIMEOUTS: ReadonlySet<string> = new Set(["ETIMEDOUT", "CONNECT_TIMEOUT", "UND_ERR_CONNECT_TIMEOUT"]);
/** Refusals of a certificate, as Node names them. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_(GET_ISSUER|VERIFY)|ERR_TLS/;

/** @param code an error's `code`, as Node or a driver names it */
export const networkFault = (code: string): "dns_lookup_failed" | "timeout" | "certificate_refused" | "unreachable" => {
  if (NAME_FAULTS.has(code)) return "dns_lookup_failed";
  if (TIMEOUTS.has(code)) return "timeout";
  return CERTIFICATE.test(code) ? "certificate_refused" : "unreachable";
};
