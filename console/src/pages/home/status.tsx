import type { Schemas } from '@parley/client'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useStatus } from '../../api/lookups.ts'
import { parley } from '../../api/parley.ts'
import { useMay } from '../../api/permissions.ts'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { count } from '../../ui/format.ts'
import { Badge, Card, PageFrame, Stat } from '../../ui/page.tsx'
import { Loading } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'

const names = { database: 'Database', vector_db: 'Search', files: 'Files', jobs: 'Background jobs' } as const

/** Shows the parts of the service, and whether each responds. */
export default function ServiceStatus() {
  const status = useStatus()
  const mayAdminister = useMay()('administer')
  const methods = useQuery({
    queryKey: ['auth', 'methods'],
    queryFn: ({ signal }) => parley.auth.methods({ signal }),
  })
  const settings = useQuery({
    queryKey: ['auth', 'settings'],
    queryFn: ({ signal }) => parley.auth.settings({ signal }),
    enabled: mayAdminister,
  })
  if (status.error) return <ErrorPanel error={status.error} onRetry={() => void status.refetch()} />
  if (!status.data) return <PageFrame title="Status">{<Loading />}</PageFrame>
  const { components, jobs, node, uptime_seconds: uptime, version } = status.data
  const rows = Object.entries(components).map(([key, component]) => ({
    name: names[key as keyof typeof names] ?? key,
    ...component,
  }))
  return (
    <PageFrame
      title="Status"
      lead={`Parley ${version} · node ${node}, up for ${span(uptime)}`}
      back={{ to: '/', label: 'Home' }}
    >
      <Card title="Parts of the service">
        <Table
          label="Parts of the service"
          rows={rows}
          rowKey={({ name }) => name}
          columns={[
            { title: 'Part', cell: ({ name }) => name },
            { title: 'Engine', minor: true, cell: ({ engine }) => engine },
            {
              title: 'State',
              cell: ({ status: state }) => <Badge tone={state === 'operational' ? 'good' : 'bad'}>{state}</Badge>,
            },
            {
              title: 'Responds in',
              numeric: true,
              cell: ({ latency_ms: latency }) => (latency === null ? 'no response' : `${count(latency)} ms`),
            },
          ]}
        />
      </Card>
      {mayAdminister && jobs.running !== null && (
        <div className="columns stats">
          <Stat label="Jobs running" value={count(jobs.running)} />
          <Stat
            label="Jobs queued"
            value={count(jobs.queued ?? 0)}
            note={`${count(jobs.due ?? 0)} wait for a worker`}
          />
          <Stat label="Jobs failed" value={count(jobs.failed ?? 0)} />
        </div>
      )}
      {methods.data && (
        <Card title="Sign-in">
          <p>
            {methods.data.oidc
              ? `People sign in with ${methods.data.oidc.name}.`
              : 'People sign in with a token or an invitation link. An identity provider is connected with OIDC_ISSUER when the service starts.'}{' '}
            {methods.data.oidc && methods.data.token && 'Tokens work too.'}
          </p>
          {settings.data && <SignInSettings settings={settings.data} />}
        </Card>
      )}
    </PageFrame>
  )
}

/** The sign-in settings, for administrators. They are changed in the variables of the service. */
function SignInSettings({ settings: { oidc, mail, session_days: days } }: { settings: Schemas['SignInSettings'] }) {
  const facts: [name: string, value: ReactNode][] = [
    ...((oidc
      ? [
          ['Identity provider', <code key="issuer">{oidc.issuer}</code>],
          [
            'Client',
            !oidc.client_set ? 'not set' : oidc.client_secret_set ? 'set, with a secret' : 'set, without a secret',
          ],
          ['Audience of JWTs', oidc.audience === null ? 'not set' : <code key="audience">{oidc.audience}</code>],
          ['Claim of the role', <code key="role">{oidc.role_claim ?? 'parley_role, or else role'}</code>],
          ['Claim of groups', <code key="groups">{oidc.groups_claim}</code>],
          ['Default role', oidc.default_role ?? 'none: people without a role have no access'],
        ]
      : []) as [string, ReactNode][]),
    ['Invitations', mail ? `sent by ${mail.host}, from ${mail.from}` : 'are not sent: SMTP_URL is not set'],
    ['Session', `ends ${days.remembered} days after the last request, or ${days.otherwise} if it is not remembered`],
  ]
  return (
    <dl className="facts" aria-label="Sign-in settings">
      {facts.map(([name, value]) => (
        <div key={name} className="pair">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function span(seconds: number): string {
  const [days, hours, minutes] = [seconds / 86_400, seconds / 3600, seconds / 60].map(Math.floor) as [
    number,
    number,
    number,
  ]
  if (days > 0) return days === 1 ? 'a day' : `${days} days`
  if (hours > 0) return hours === 1 ? 'an hour' : `${hours} hours`
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}
