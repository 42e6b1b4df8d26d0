import { isParleyError, Parley } from '@parley/client'
import { KeyRound } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Mark } from '../ui/mark.tsx'
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
          ? 'This token is unknown, revoked or expired.'
          : error instanceof Error
            ? error.message
            : String(error),
      )
      setBusy(false)
    }
  }

  return (
    <main className="alone">
      <form className="sign-in card" onSubmit={submit}>
        <Mark />
        <h1>Sign in to Parley</h1>
        <p className="muted">
          Paste an access token. The first start prints a sign-in link and keeps the owner’s token in{' '}
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
        <p className="small muted">It stays in this tab and is forgotten when you close it.</p>
      </form>
    </main>
  )
}
