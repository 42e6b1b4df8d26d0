import { useQuery } from '@tanstack/react-query'
import { Pencil, Plus, Trash2, Wallet } from 'lucide-react'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useMay } from '../../api/permissions.ts'
import { useSave } from '../../api/save.ts'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { Warnings } from '../../parts/warnings.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { count, dateTime, truncatedDollars } from '../../ui/format.ts'
import { useListParams } from '../../ui/list.tsx'
import { Badge, Card } from '../../ui/page.tsx'
import { Loading } from '../../ui/states.tsx'
import type { Budget } from './budget.ts'
import { BudgetDialog } from './budget-dialog.tsx'

const windows: Record<Budget['window'], string> = { day: 'today', month: 'this month', total: 'in total' }
const amount = ({ metric, limit }: Budget, value: number): string =>
  metric === 'cost' ? truncatedDollars(value, limit) : `${count(value)} tokens`

/** The budgets and how much of each is used. */
export function Budgets({ findName }: { findName: (id: string) => string }) {
  const mayWrite = useMay()('administer')
  const { search, change } = useListParams()
  const [isNew, setIsNew] = useState(false)
  const budgets = useQuery({
    queryKey: ['usage', 'thresholds'],
    queryFn: ({ signal }) => parley.usage.thresholds.list({ limit: 100 }, { signal }).all(500),
  })
  const edited = budgets.data?.find(({ id }) => id === search.budget)
  return (
    <Card
      title="Budgets"
      actions={
        mayWrite && (
          <Button small icon={Plus} onClick={() => setIsNew(true)}>
            New budget
          </Button>
        )
      }
    >
      {budgets.error && <ErrorPanel error={budgets.error} onRetry={() => void budgets.refetch()} />}
      {budgets.isPending && <Loading lines={2} />}
      {budgets.data?.length === 0 && (
        <p className="muted row nowrap">
          <Wallet aria-hidden size={18} />
          <span>
            Set a budget to get notified or block calls when a workspace, agent, model or user reaches a limit.{' '}
            {!mayWrite && 'Ask an administrator to set one.'}
          </span>
        </p>
      )}
      {budgets.data && budgets.data.length > 0 && (
        <ul className="budgets">
          {budgets.data.map((budget) => (
            <li key={budget.id}>
              <BudgetRow
                budget={budget}
                findName={findName}
                mayWrite={mayWrite}
                onEdit={() => change({ budget: budget.id })}
              />
            </li>
          ))}
        </ul>
      )}
      {isNew && <BudgetDialog onClose={() => setIsNew(false)} />}
      {edited && mayWrite && (
        <BudgetDialog key={edited.id} budget={edited} onClose={() => change({ budget: undefined })} />
      )}
    </Card>
  )
}

interface BudgetRowProps {
  budget: Budget
  findName: (id: string) => string
  mayWrite: boolean
  onEdit: () => void
}

function BudgetRow({ budget, findName, mayWrite, onEdit }: BudgetRowProps) {
  const remove = useSave({
    invalidates: ['usage'],
    run: () => parley.usage.thresholds.delete(budget.id),
    toast: `${budget.name} deleted`,
  })
  const { name, used, limit, percent, window, action, resets_at: resets, exceeded_at: exceeded } = budget
  const tone = percent >= 100 ? 'bad' : percent >= 80 ? 'warn' : ''
  const entity = budget.entity_id && budget.entity_type !== 'workspace' ? findName(budget.entity_id) : 'Workspace'
  return (
    <div className="budget">
      <div className="row spread nowrap">
        <span className="row">
          <strong>{name}</strong>
          <Badge>{action === 'block' ? 'blocks' : 'notifies'}</Badge>
          {exceeded && <Badge tone="bad">reached</Badge>}
        </span>
        {mayWrite && (
          <span className="row nowrap">
            <IconButton icon={Pencil} label={`Edit ${name}`} onClick={onEdit} />
            <Confirm
              trigger={<IconButton icon={Trash2} label={`Delete ${name}`} />}
              title={`Delete the budget ${name}?`}
              text="It no longer notifies or blocks. Recorded usage is kept."
              action="Delete budget"
              onConfirm={() => remove.mutateAsync(undefined).catch(() => {})}
            />
          </span>
        )}
      </div>
      <Warnings warnings={budget.warnings} />
      <progress className={`share ${tone}`} aria-label={`${name} usage`} max={100} value={Math.min(100, percent)} />
      <p className="muted small row spread">
        <span>
          {entity}: {amount(budget, used)} of {amount(budget, limit)} {windows[window]}
        </span>
        <span>
          {count(Math.floor(percent))}%{resets && `, resets ${dateTime(resets)}`}
        </span>
      </p>
    </div>
  )
}
