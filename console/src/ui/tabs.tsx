import { Tabs as Base } from '@base-ui/react/tabs'
import { type ReactNode, useEffect, useRef } from 'react'

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

export function Tabs({ label, tabs, value, onChange }: TabsProps) {
  const list = useRef<HTMLDivElement>(null)
  // On a phone the list scrolls, and the chosen tab may be beyond its edge.
  useEffect(() => {
    const box = list.current
    const tab = box?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(value)}"]`)
    if (box && tab) box.scrollLeft = tab.offsetLeft - (box.clientWidth - tab.offsetWidth) / 2
  }, [value])
  return (
    <Base.Root className="tabs" value={value} onValueChange={(next) => onChange(String(next))}>
      <Base.List ref={list} className="tab-list" aria-label={label}>
        {tabs.map((tab) => (
          <Base.Tab key={tab.value} value={tab.value} className="tab" data-tab={tab.value}>
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
}
