import { Menu as Base } from '@base-ui/react/menu'
import { Check, type LucideIcon } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'

interface MenuProps {
  /** Accessible name of a trigger without text. */
  label?: string
  trigger: ReactNode
  /** Replaces the default button around the trigger. */
  render?: ReactElement<Record<string, unknown>>
  children: ReactNode
}

export const Menu = ({ label, trigger, render, children }: MenuProps) => (
  <Base.Root modal={false}>
    <Base.Trigger
      className={render ? undefined : 'menu-trigger'}
      {...(label && { 'aria-label': label })}
      {...(render && { render })}
    >
      {trigger}
    </Base.Trigger>
    <Base.Portal>
      <Base.Positioner className="positioner" sideOffset={6} align="start">
        <Base.Popup className="menu">{children}</Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
)

export const MenuGroup = ({ label, children }: { label?: string; children: ReactNode }) => (
  <Base.Group className="menu-group">
    {label && <Base.GroupLabel className="menu-label">{label}</Base.GroupLabel>}
    {children}
  </Base.Group>
)

interface ItemProps {
  icon?: LucideIcon
  onClick: () => void
  children: ReactNode
}

export const MenuItem = ({ icon: Icon, onClick, children }: ItemProps) => (
  <Base.Item className="menu-item" onClick={onClick}>
    {Icon && <Icon aria-hidden size={15} />}
    {children}
  </Base.Item>
)

export const MenuLink = ({ icon: Icon, href, children }: { icon?: LucideIcon; href: string; children: ReactNode }) => (
  <Base.Item className="menu-item" render={<a href={href} />}>
    {Icon && <Icon aria-hidden size={15} />}
    {children}
  </Base.Item>
)

interface ChoiceProps {
  label: string
  value: string
  onChange: (value: string) => void
  children: readonly { value: string; label: string; icon?: LucideIcon }[]
}

export const MenuChoice = ({ label, value, onChange, children }: ChoiceProps) => (
  <Base.RadioGroup className="menu-group" value={value} onValueChange={onChange} aria-label={label}>
    <p className="menu-label">{label}</p>
    {children.map(({ value: each, label: text, icon: Icon }) => (
      <Base.RadioItem key={each} value={each} className="menu-item" closeOnClick>
        {Icon && <Icon aria-hidden size={15} />}
        <span className="grow">{text}</span>
        <Base.RadioItemIndicator>
          <Check aria-hidden size={14} />
        </Base.RadioItemIndicator>
      </Base.RadioItem>
    ))}
  </Base.RadioGroup>
)
