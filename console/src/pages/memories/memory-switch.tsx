import { useQuery } from '@tanstack/react-query'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { CheckField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'

/** Turns memory on or off for the whole workspace. */
export function MemorySwitch() {
  const settings = useQuery({
    queryKey: ['memory-settings'],
    queryFn: ({ signal }) => parley.memories.settings({ signal }),
  })
  const save = useSave({
    invalidates: ['memory-settings'],
    run: (enabled: boolean) => parley.memories.changeSettings({ enabled }),
    toast: ({ enabled }) => (enabled ? 'Memory turned on' : 'Memory turned off'),
  })
  return (
    <Card title="Workspace">
      <CheckField
        label="Agents may remember"
        hint="If turned off, no agent recalls or writes memories. What is stored stays until it is deleted."
        value={settings.data?.enabled}
        disabled={settings.data === undefined || save.isPending}
        onChange={(enabled) => save.mutate(enabled)}
      />
    </Card>
  )
}
