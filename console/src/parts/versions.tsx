import type { Schemas } from '@parley/client'
import { useQuery } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { useState } from 'react'
import { useTokens } from '../api/lookups.ts'
import { usePersonName } from '../api/people.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { dateTime } from '../ui/format.ts'
import { Badge } from '../ui/page.tsx'
import { Loading } from '../ui/states.tsx'
import { Ago } from '../ui/time.tsx'
import { ErrorPanel } from './error-panel.tsx'
import { VersionChanges } from './version-changes.tsx'

type Version = Schemas['Version']

interface VersionsProps {
  /** The first element of the query key, such as `agents`. */
  kind: string
  id: string
  current: number
  list: () => PromiseLike<Version[]>
  mayRestore: boolean
  onRestore: (version: number) => Promise<unknown>
}

/** The version history of a resource, with diffs and restore. */
export function Versions(props: VersionsProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button icon={History} onClick={() => setOpen(true)}>
        Version {props.current}
      </Button>
      <Dialog
        wide
        open={open}
        onOpenChange={setOpen}
        title="Version history"
        description="Compare versions. Restoring an old version creates a new one."
      >
        <Content {...props} onRestored={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function Content({
  kind,
  id,
  current,
  list,
  mayRestore,
  onRestore,
  onRestored,
}: VersionsProps & { onRestored: () => void }) {
  const versions = useQuery({ queryKey: [kind, id, 'versions', current], queryFn: async () => list() })
  const tokens = useTokens()
  const personName = usePersonName()
  const findAuthor = ({ created_by: by, author_id: user, author_name: name }: Version) =>
    (user && personName(user, name)) ??
    tokens.data?.find(({ id }) => id === by)?.name ??
    name ??
    (by.startsWith('oidc:') ? personName(by.slice('oidc:'.length)) : 'a token that was revoked')
  const [chosen, setChosen] = useState(current)
  if (versions.error) return <ErrorPanel error={versions.error} onRetry={() => void versions.refetch()} />
  if (!versions.data) return <Loading />
  const index = versions.data.findIndex(({ version }) => version === chosen)
  const shown = versions.data[index]
  const author = shown && findAuthor(shown)
  const before = versions.data[index + 1]
  return (
    <div className="history">
      <ul className="versions">
        {versions.data.map(({ version, created_at, ...each }) => (
          <li key={version}>
            <button type="button" aria-pressed={version === chosen} onClick={() => setChosen(version)}>
              <strong>Version {version}</strong>
              {version === current && <Badge tone="good">current</Badge>}
              <span className="muted small">
                {findAuthor({ version, created_at, ...each })}, <Ago at={created_at} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      {shown && (
        <div className="stack">
          <div className="row spread">
            <span className="muted small">
              {before ? `Changes from version ${before.version} to ${shown.version}` : `Version ${shown.version}`}
              {author && `, by ${author}`}, {dateTime(shown.created_at)}
            </span>
            {mayRestore && shown.version !== current && (
              <Confirm
                trigger={<Button small>Restore version {shown.version}</Button>}
                title={`Restore version ${shown.version}?`}
                text="This creates a new version. The current one stays in the history."
                action="Restore"
                onConfirm={async () => {
                  await onRestore(shown.version)
                  onRestored()
                }}
              />
            )}
          </div>
          <VersionChanges before={before?.snapshot} after={shown.snapshot} />
        </div>
      )}
    </div>
  )
}
