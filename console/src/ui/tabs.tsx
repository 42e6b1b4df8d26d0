import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

interface Tab {
  value: string
  label: string
  content: ReactNode
  /** Stays mounted while another tab is shown, so that input is kept. */
  keep?: boolean
}

interface TabsProps {
  label: string
  tabs: Tab[]
  value: string
  onChange: (value: string) => void
}

export const Tabs = ({ label, tabs, value, onChange }: TabsProps) => (
  <Base.Root className="tabs" value={value} onValueChange={(next) => onChange(String(next))}>
    <Base.List className="tab-list" aria-label={label}>
      {tabs.map((tab) => (
        <Base.Tab key={tab.value} value={tab.value} className="tab">
          {tab.label}
        </Base.Tab>
      ))}
    </Base.List>
    {tabs.map((tab) => (
      <Base.Panel key={tab.value} value={tab.value} className="tab-panel" keepMounted={tab.keep ?? false}>
        {tab.content}
      </Base.Panel>
    ))}
  </Base.Root>
)
