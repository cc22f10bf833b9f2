/** Whether a request failed before any of it was sent: there was no connection to send it on. */
const NO_CONNECTION = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT'])

export function isUnreached(error: unknown): boolean {
  const { code, cause } = Object(error) as { code?: unknown; cause?: unknown }
  return NO_CONNECTION.has(String(code)) || (cause !== undefined && cause !== error && isUnreached(cause))
}
