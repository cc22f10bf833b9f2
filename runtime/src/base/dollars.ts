/** An amount for people: `$1.25`, and small amounts with enough digits to be read. */
export function dollars(usd: number): string {
  return usd >= 1 || usd === 0 ? `$${usd.toFixed(2)}` : `$${usd.toFixed(4)}`
}
