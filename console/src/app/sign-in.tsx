import { KeyRound } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { CheckField, Field } from '../ui/field.tsx'
import { Logo } from '../ui/logo.tsx'
import { signIn, signInProblem } from './auth.ts'
import { useSession } from './session.ts'

export function SignIn() {
  const { notice } = useSession()
  const [token, setToken] = useState('')
  const [remember, setRemember] = useState(true)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const shown = problem ?? notice

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setProblem(null)
    try {
      await signIn(token, remember)
    } catch (error) {
      setProblem(signInProblem(error))
      setBusy(false)
    }
  }

  return (
    <main className="centered">
      <form className="sign-in card" onSubmit={submit}>
        <Logo />
        <h1>Sign in to Parley</h1>
        <p className="muted">
          Paste an access token. On first start the server prints a sign-in link and saves the owner token to{' '}
          <code>data/owner-token</code>.
        </p>
        <Field label="Access token" {...(shown !== null && { error: shown })}>
          {(control) => (
            <input
              {...control}
              type="password"
              autoComplete="off"
              spellCheck={false}
              placeholder="parley_…"
              value={token}
              onChange={(event) => setToken(event.target.value)}
            />
          )}
        </Field>
        <CheckField
          label="Keep me signed in"
          hint={remember ? 'For 30 days after your last visit.' : 'Until you close the browser.'}
          checked={remember}
          onChange={setRemember}
        />
        <Button type="submit" variant="primary" icon={KeyRound} busy={busy} disabled={token.trim() === ''}>
          Sign in
        </Button>
      </form>
    </main>
  )
}
