import type { Pagination } from '@parley/client'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight, Search, SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Button, IconButton } from './button.tsx'
import { ComboField } from './combo-field.tsx'
import { Field } from './field.tsx'
import { count } from './format.ts'
import type { Option } from './option.ts'
import { Select } from './select.tsx'

/** Keeps the state of a list in the URL, so that it can be shared and restored. */
export function useListParams() {
  const search = useSearch({ strict: false }) as Record<string, string | undefined>
  const navigate = useNavigate()
  const change = (next: Record<string, string | undefined>) =>
    // Only a page change scrolls to the top.
    void navigate({ to: '.', search: { ...search, ...next } as never, replace: true, resetScroll: 'page' in next })
  return { search, page: Math.max(1, Number(search.page) || 1), q: search.q ?? '', change }
}

export function SearchBox({ label, value, onChange }: { label: string; value: string; onChange: (q: string) => void }) {
  const [text, setText] = useState(value)
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => onChange(text), 350)
    return () => clearTimeout(timer)
  }, [text, value, onChange])
  return (
    <div className="search-box">
      <Search aria-hidden size={15} />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </div>
  )
}

interface FilterProps {
  label: string
  /** Name of the search parameter. */
  name: string
  /** Label of the empty option. */
  all: string
  options: readonly Option[]
}

/** Filters a list by one field. */
export function FilterSelect({ label, name, all, options }: FilterProps) {
  const { search, change } = useListParams()
  return (
    <Select
      aria-label={label}
      value={search[name] ?? ''}
      onChange={(value) => change({ [name]: value || undefined, page: undefined })}
      options={[{ value: '', label: all }, ...options]}
    />
  )
}

interface FilterInputProps {
  label: string
  name: string
  type: 'text' | 'date' | 'number'
  /** The known values, to pick from. */
  options?: readonly Option[]
}

/** Filters a list by the entered text. */
export function FilterInput({ label, name, type, options }: FilterInputProps) {
  const { search, change } = useListParams()
  const value = search[name] ?? ''
  const [text, setText] = useState(value)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `change` is new on each render
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => change({ [name]: text || undefined, page: undefined }), 350)
    return () => clearTimeout(timer)
  }, [text, value, name])
  if (options) return <ComboField label={label} value={text} onChange={setText} options={options} />
  return (
    <Field label={label}>
      {(control) => (
        <input
          {...control}
          type={type}
          {...(type === 'number' && { min: 0, step: 'any', inputMode: 'decimal' as const })}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
    </Field>
  )
}

/** Filters that are shown on request, or while one of them is set. */
export function MoreFilters({ names, children }: { names: readonly string[]; children: ReactNode }) {
  const { search } = useListParams()
  const [isOpen, setOpen] = useState(names.some((name) => search[name]))
  return (
    <>
      <Button icon={SlidersHorizontal} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Filters
      </Button>
      {isOpen && <div className="toolbar more-filters">{children}</div>}
    </>
  )
}

/** Goes to the last page if the URL is past the end, such as after a delete. Returns whether it does. */
export function useRedirectToLastPage(pagination: Pagination | undefined): boolean {
  const { change } = useListParams()
  const { page = 1, pages = 1, total = 0 } = pagination ?? {}
  const isPastEnd = total > 0 && page > pages
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per missing page
  useEffect(() => {
    if (isPastEnd) change({ page: pages > 1 ? String(pages) : undefined })
  }, [isPastEnd, page, pages])
  return isPastEnd
}

export function Pager({ pagination, onPage }: { pagination: Pagination; onPage: (page: number) => void }) {
  const { page, pages, total, limit } = pagination
  if (pages <= 1) return null
  return (
    <nav className="pager" aria-label="Pages">
      <span className="muted small">
        {count((page - 1) * limit + 1)}–{count(Math.min(total, page * limit))} of {count(total)}
      </span>
      <IconButton icon={ChevronLeft} label="Previous page" disabled={page <= 1} onClick={() => onPage(page - 1)} />
      <IconButton icon={ChevronRight} label="Next page" disabled={page >= pages} onClick={() => onPage(page + 1)} />
    </nav>
  )
}
