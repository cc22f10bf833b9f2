/** A question of an MCP server to a person, in the middle of one of its calls. Every word of it is the server's. */

/** One field of the form. */
export interface FormField {
  type?: string
  title?: string
  description?: string
  default?: unknown
  enum?: readonly string[]
  oneOf?: readonly { const: string; title: string }[]
  items?: { enum?: readonly string[]; anyOf?: readonly { const: string; title: string }[] }
}

/** The form, as a server asks for it. */
export interface ElicitedForm {
  server: string
  message: string
  fields: Readonly<Record<string, FormField>>
  required: readonly string[]
}

/** What the person answered. `decline`: no; `cancel`: no answer. */
export interface ElicitedAnswer {
  action: 'accept' | 'decline' | 'cancel'
  content?: Record<string, string | number | boolean | string[]>
}
