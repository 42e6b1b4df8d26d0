import type { Schemas } from '@parley/client'
import { useQuery } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { useState } from 'react'
import { useTokens } from '../api/lookups.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Dialog } from '../ui/dialog.tsx'
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
  list: () => PromiseLike<{ data: Version[] }>
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
  const versions = useQuery({ queryKey: [kind, id, 'versions', current], queryFn: async () => (await list()).data })
  const tokens = useTokens()
  const [chosen, setChosen] = useState(current)
  if (versions.error) return <ErrorPanel error={versions.error} onRetry={() => void versions.refetch()} />
  if (!versions.data) return <Loading />
  const index = versions.data.findIndex(({ version }) => version === chosen)
  const shown = versions.data[index]
  const author = tokens.data?.find((token) => token.id === shown?.created_by)?.name
  const before = versions.data[index + 1]
  return (
    <div className="history">
      <ul className="versions">
        {versions.data.map(({ version, created_at }) => (
          <li key={version}>
            <button type="button" aria-pressed={version === chosen} onClick={() => setChosen(version)}>
              <strong>Version {version}</strong>
              {version === current && <Badge tone="good">current</Badge>}
              <span className="grow" />
              <span className="muted small">
                <Ago at={created_at} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      {shown && (
        <div className="stack">
          <div className="row spread">
            <span className="muted small">
              {before ? `Changes from version ${before.version} to ${shown.version}` : 'First version'}
              {author && `, by ${author}`}
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
