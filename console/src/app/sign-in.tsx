import { useQuery } from '@tanstack/react-query'
import { KeyRound, LogIn } from 'lucide-react'
import { useState } from 'react'
import { parley } from '../api/parley.ts'
import { useSession } from '../api/session.ts'
import { Button } from '../ui/button.tsx'
import { CheckField, SecretField } from '../ui/field.tsx'
import { Logo } from '../ui/logo.tsx'
import { Loading } from '../ui/states.tsx'
import { signIn, signInAt, signInProblem } from './auth.ts'
import { useEntry } from './entry.ts'

/** Offers the identity provider first, if there is one. A token always works. */
export function SignIn() {
  const { notice } = useSession()
  const methods = useQuery({
    queryKey: ['sign-in methods'],
    queryFn: ({ signal }) => parley.auth.methods({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const oidc = methods.data?.oidc
  return (
    <main className="centered">
      {methods.isPending ? (
        <Loading />
      ) : (
        <div className="sign-in card">
          <Logo />
          <h1>Sign in to Parley</h1>
          {oidc ? (
            <>
              {notice !== null && <p role="status">{notice}</p>}
              <Button variant="primary" icon={LogIn} onClick={() => signInAt(oidc.login_url)}>
                Sign in with {oidc.name}
              </Button>
              <details>
                <summary>Use an access token</summary>
                <TokenForm notice={null} />
              </details>
            </>
          ) : (
            <TokenForm notice={notice} />
          )}
        </div>
      )}
    </main>
  )
}

function TokenForm({ notice }: { notice: string | null }) {
  const [token, setToken] = useState('')
  const [remember, setRemember] = useState(true)
  const { busy, problem, onSubmit } = useEntry({ enter: () => signIn(token, remember), explain: signInProblem })

  return (
    <form className="token-form" onSubmit={onSubmit}>
      <p className="muted">
        Paste an access token. On first start the server prints a sign-in link and saves the owner token to{' '}
        <code>data/owner-token</code>.
      </p>
      <SecretField
        label="Access token"
        error={problem ?? notice ?? undefined}
        placeholder="parley_…"
        value={token}
        onChange={setToken}
      />
      <CheckField
        label="Keep me signed in"
        hint={remember ? 'For 30 days after your last visit.' : 'Until you close the browser.'}
        value={remember}
        onChange={setRemember}
      />
      <Button type="submit" variant="primary" icon={KeyRound} busy={busy} disabled={token.trim() === ''}>
        Sign in
      </Button>
    </form>
  )
}
