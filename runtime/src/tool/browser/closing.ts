/** Ends the browser of this process. Apart from the code that starts one, which most processes never load. */
let end: (() => Promise<void>) | undefined

export function endBrowserWith(close: () => Promise<void>): void {
  end = close
}

export async function endBrowser(): Promise<void> {
  await end?.()
}
