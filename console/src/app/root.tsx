import { isParleyError } from '@parley/client'
import { ErrorPanel, Loading } from '../ui/states.tsx'
import { useMe } from './permissions.ts'
import { signOut, useSession } from './session.ts'
import { Shell } from './shell.tsx'
import { SignIn } from './sign-in.tsx'

/** Shows the console once the caller is known. */
export function Root() {
  const { token } = useSession()
  const me = useMe()
  if (token === null) return <SignIn />
  if (me.data) return <Shell me={me.data} />
  if (me.error && !isParleyError(me.error, 'invalid_token', 'unauthenticated')) {
    return (
      <main className="centered">
        <ErrorPanel error={me.error} onRetry={() => void me.refetch()} onLeave={() => signOut()} />
      </main>
    )
  }
  return (
    <main className="centered">
      <Loading />
    </main>
  )
}
