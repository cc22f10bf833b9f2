import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError } from '../../../runtime/src/server/client.ts'
import { useTexts } from '../i18n/texts.tsx'
import { api } from '../lib/api.ts'
import { askTabs, tellTabs } from '../lib/tabs.ts'
import { keepToken, tokenNow } from '../lib/token.ts'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { useTitle } from '../parts/page.tsx'
import { ErrorNote } from '../parts/states.tsx'

/** The whole page: no data has been shown yet. */
export function SignIn() {
  const { signIn } = useTexts()
  useTitle(signIn.title)
  return (
    <main className="page sign-in">
      <div className="card">
        <h1>{signIn.title}</h1>
        <SignInForm lede={signIn.lede} wasRefused={tokenNow() !== undefined} />
      </div>
    </main>
  )
}

/** A dialog over the page, which keeps its state and input. */
export function SignInAgain() {
  const { signIn } = useTexts()
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    // Another tab may have signed in already.
    askTabs()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={ref}
      className="sign-in-again"
      aria-labelledby="sign-in-again"
      onCancel={(event) => event.preventDefault()}
      // Browsers close it on a second Esc; the page behind it is still unusable.
      onClose={() => ref.current?.isConnected && ref.current.showModal()}
    >
      <h2 id="sign-in-again">{signIn.again}</h2>
      <SignInForm lede={signIn.againLede} wasRefused={false} />
    </dialog>
  )
}

function SignInForm({ lede, wasRefused }: { lede: string; wasRefused: boolean }) {
  const { signIn } = useTexts()
  const [token, setToken] = useState('')
  const [problem, setProblem] = useState<unknown>()
  const [wrong, setWrong] = useState(wasRefused)
  async function submit(event: FormEvent) {
    event.preventDefault()
    const given = token.trim()
    keepToken(given)
    setProblem(undefined)
    try {
      await api.call('GET /api/info', {})
      tellTabs(given)
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) setWrong(true)
      else setProblem(error)
    }
  }
  return (
    <form className="stack" onSubmit={(event) => void submit(event)}>
      <p className="muted">{lede}</p>
      <Field label={signIn.token} hint={signIn.hint} wrong={wrong ? signIn.wrong : undefined}>
        {(control) => (
          <input
            className="input mono"
            type="password"
            autoComplete="off"
            required
            {...control}
            value={token}
            onChange={(event) => {
              setWrong(false)
              setToken(event.target.value)
            }}
          />
        )}
      </Field>
      {problem !== undefined && <ErrorNote error={problem} />}
      <div className="row end">
        <Button look="primary" type="submit">
          {signIn.action}
        </Button>
      </div>
    </form>
  )
}
