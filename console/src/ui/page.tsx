import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'

interface PageProps {
  title: string
  /** One sentence about the page. */
  lead?: ReactNode
  back?: { to: string; label: string }
  actions?: ReactNode
  wide?: boolean
  children: ReactNode
}

export function PageFrame({ title, lead, back, actions, wide, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Parley`
  }, [title])
  return (
    <div className={`page${wide ? ' wide' : ''}`}>
      <header className="page-head">
        <div className="page-titles">
          {back && (
            <Link to={back.to} className="back">
              <ChevronLeft aria-hidden size={14} />
              {back.label}
            </Link>
          )}
          <h1 tabIndex={-1} dir="auto">
            {title}
          </h1>
          {lead && <p className="muted">{lead}</p>}
        </div>
        {actions && <div className="row">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

export const Card = ({ title, actions, children }: { title?: string; actions?: ReactNode; children: ReactNode }) => (
  <section className="card">
    {(title || actions) && (
      <header className="card-head">
        {title && <h2>{title}</h2>}
        {actions && <div className="row">{actions}</div>}
      </header>
    )}
    {children}
  </section>
)

interface StatProps {
  label: string
  value: ReactNode
  note?: ReactNode
  tone?: 'plain' | 'bad'
}

/** A figure. Long values shrink to fit. */
export const Stat = ({ label, value, note, tone = 'plain' }: StatProps) => (
  <div className="card stat">
    <span className="muted">{label}</span>
    <strong className={[tone === 'bad' && 'bad-text', isLong(value) && 'long'].filter(Boolean).join(' ')}>
      {value}
    </strong>
    {note && <span className="small muted">{note}</span>}
  </div>
)

const isLong = (value: ReactNode): boolean => typeof value === 'string' && value.length > 7

export const Badge = ({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) => (
  <span className={`badge ${tone}`}>{children}</span>
)
export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'accent'
