/** Whether a request failed before any of it was sent, because there was no connection. */
const NO_CONNECTION = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT'])

export function isConnectionFailure(error: unknown): boolean {
  const { code, cause } = Object(error) as { code?: unknown; cause?: unknown }
  return NO_CONNECTION.has(String(code)) || (cause !== undefined && cause !== error && isConnectionFailure(cause))
}
