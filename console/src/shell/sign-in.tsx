import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTexts } from '../i18n/texts.tsx'
import { keepToken, tokenNow } from '../lib/token.ts'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { useTitle } from '../parts/page.tsx'

export function SignIn() {
  const { signIn } = useTexts()
  const client = useQueryClient()
  const [token, setToken] = useState('')
  const [tried, setTried] = useState(tokenNow() !== undefined)
  useTitle(signIn.title)
  async function submit(event: FormEvent) {
    event.preventDefault()
    keepToken(token.trim())
    await client.resetQueries()
    setTried(true)
  }
  return (
    <main className="page sign-in">
      <form className="card stack" onSubmit={(event) => void submit(event)}>
        <h1>{signIn.title}</h1>
        <p className="muted">{signIn.lede}</p>
        <Field label={signIn.token} hint={signIn.hint} wrong={tried ? signIn.wrong : undefined}>
          {(control) => (
            <input
              className="input mono"
              type="password"
              autoComplete="off"
              required
              {...control}
              value={token}
              onChange={(event) => {
                setTried(false)
                setToken(event.target.value)
              }}
            />
          )}
        </Field>
        <div className="row end">
          <Button look="primary" type="submit">
            {signIn.action}
          </Button>
        </div>
      </form>
    </main>
  )
}
