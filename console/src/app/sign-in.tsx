import { isParleyError, Parley } from '@parley/client'
import { KeyRound } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Logo } from '../ui/logo.tsx'
import { signIn, useSession } from './session.ts'

export function SignIn() {
  const { notice } = useSession()
  const [token, setToken] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(notice)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setProblem(null)
    try {
      await new Parley({ token: token.trim(), maxRetries: 0 }).me()
      signIn(token)
    } catch (error) {
      setProblem(
        isParleyError(error, 'invalid_token', 'unauthenticated')
          ? 'This token is invalid, revoked or expired.'
          : error instanceof Error
            ? error.message
            : String(error),
      )
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
        <Field label="Access token" {...(problem !== null && { error: problem })}>
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
        <Button type="submit" variant="primary" icon={KeyRound} busy={busy} disabled={token.trim() === ''}>
          Sign in
        </Button>
        <p className="small muted">The token stays in this tab and is removed when you close it.</p>
      </form>
    </main>
  )
}
