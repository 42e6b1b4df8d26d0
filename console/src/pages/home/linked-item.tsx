import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

interface LinkedItemProps {
  icon: ReactNode
  title: string
  text: string
  to: string
}

/** An entry of a list of things to do, which leads to its page. */
export const LinkedItem = ({ icon, title, text, to }: LinkedItemProps) => (
  <li>
    {icon}
    <span className="grow">
      <Link to={to}>
        <strong>{title}</strong>
      </Link>
      <br />
      <span className="muted">{text}</span>
    </span>
  </li>
)
