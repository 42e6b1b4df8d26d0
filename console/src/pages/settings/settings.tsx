import type { ComponentType } from 'react'
import type { Permission } from '../../api/permissions.ts'
import { useMay, useMe } from '../../api/permissions.ts'
import { useListParams } from '../../ui/list.tsx'
import { PageFrame } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'

/** A settings tab. Each is a file `*.tab.tsx` in this folder and is found by a glob. */
export interface SettingsTab {
  value: string
  label: string
  order: number
  may: Permission
  Content: ComponentType
}

const found = import.meta.glob<{ tab: SettingsTab }>('./*.tab.tsx', { eager: true })
const all = Object.values(found)
  .map(({ tab }) => tab)
  .sort((one, other) => one.order - other.order)

export default function Settings() {
  const may = useMay()
  const { data: me } = useMe()
  const { search, change } = useListParams()
  const tabs = all.filter((tab) => may(tab.may))
  const current = tabs.find(({ value }) => value === search.tab) ?? tabs[0]
  return (
    <PageFrame
      title="Settings"
      {...(me?.role === 'user' && { back: { to: '/chat', label: 'Chat' } })}
      lead="Connected accounts, access tokens, workspaces and the audit log."
    >
      {current && (
        <Tabs
          label="Settings"
          value={current.value}
          onChange={(tab) => change({ tab })}
          tabs={tabs.map(({ value, label, Content }) => ({ value, label, content: <Content /> }))}
        />
      )}
    </PageFrame>
  )
}
