import { Link } from '@tanstack/react-router'
import { LoaderCircle, type LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'

type Variant = 'primary' | 'plain' | 'quiet' | 'danger'

interface Looks {
  variant?: Variant
  icon?: LucideIcon
  small?: boolean
}

const buttonClass = ({ variant = 'plain', small }: Looks): string => `button ${variant}${small ? ' small-button' : ''}`

export function Button({
  variant,
  icon: Icon,
  small,
  busy,
  disabled,
  children,
  ...rest
}: Looks & ComponentProps<'button'> & { busy?: boolean }) {
  const Shown = busy ? LoaderCircle : Icon
  return (
    <button
      type="button"
      className={buttonClass({ ...(variant && { variant }), ...(small && { small }) })}
      disabled={disabled || busy}
      {...rest}
    >
      {Shown && <Shown aria-hidden size={small ? 14 : 16} className={busy ? 'spin' : ''} />}
      {children}
    </button>
  )
}

export const IconButton = ({
  icon: Icon,
  label,
  ...rest
}: ComponentProps<'button'> & { icon: LucideIcon; label: string }) => (
  <button type="button" className="icon-button" aria-label={label} title={label} {...rest}>
    <Icon aria-hidden size={17} />
  </button>
)

interface LinkLooks extends Looks {
  to: string
  search?: Record<string, string>
  children: ReactNode
}

export const LinkButton = ({ to, search, icon: Icon, children, ...looks }: LinkLooks) => (
  <Link to={to} {...(search && { search: search as never })} className={buttonClass(looks)}>
    {Icon && <Icon aria-hidden size={looks.small ? 14 : 16} />}
    {children}
  </Link>
)
