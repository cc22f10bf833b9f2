/** The few DOM types used here; this code is compiled for Node, which has none. */
export interface PageElement {
  readonly tagName: string
  readonly isConnected: boolean
  readonly innerText?: string
  readonly textContent: string | null
  readonly type?: string
  readonly href?: string
  readonly value?: string
  readonly placeholder?: string
  readonly name?: string
  readonly labels?: ArrayLike<PageElement> | null
  readonly form?: { readonly action: string; readonly method: string } | null
  getAttribute(name: string): string | null
  closest(selector: string): PageElement | null
  checkVisibility(): boolean
}

export interface PageWindow {
  readonly document: {
    readonly title: string
    querySelectorAll(selector: string): Iterable<PageElement>
  }
}
