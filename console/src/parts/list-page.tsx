import type { Page, Pages } from '@parley/client'
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type LucideIcon, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { type Permission, useMay } from '../api/permissions.ts'
import { Button } from '../ui/button.tsx'
import { Pager, SearchBox, useListParams, useRedirectToLastPage } from '../ui/list.tsx'
import { PageFrame } from '../ui/page.tsx'
import { Empty, Loading } from '../ui/states.tsx'
import { type Column, Table, type TableProps } from '../ui/table.tsx'
import { ErrorPanel } from './error-panel.tsx'

interface ListQuery {
  page: number
  limit: number
  q: string | undefined
}

interface ListSettings<Row> {
  /** The query key: the resource first, then the filters. */
  resource: readonly unknown[]
  read: (query: ListQuery, options: { signal: AbortSignal }) => Pages<Row>
  /** Whether to poll. */
  shouldPoll?: (rows: Row[]) => boolean
}

const pollInterval = 5000

/** The list page that the URL selects. */
export function useList<Row>({ resource, read, shouldPoll }: ListSettings<Row>): UseQueryResult<Page<Row>> {
  const { page, q } = useListParams()
  return useQuery({
    queryKey: [...resource, page, q],
    queryFn: ({ signal }) => read({ page, limit: 25, q: q || undefined }, { signal }).page(),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => state.data !== undefined && shouldPoll?.(state.data.data) && pollInterval,
  })
}

interface ListingProps<Row> extends Omit<TableProps<Row>, 'rows' | 'rowKey'> {
  list: UseQueryResult<Page<Row>>
  /** Shown when the list is empty. */
  empty: ReactNode
}

/** A list in each state: loading, error, empty, or a table with pages. */
export function Listing<Row extends { id: string }>({ list, empty, ...table }: ListingProps<Row>) {
  const { change } = useListParams()
  const { data, error, isPending, refetch } = list
  const isRedirecting = useRedirectToLastPage(data?.pagination)
  return (
    <>
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {(isPending || isRedirecting) && <Loading />}
      {data?.data.length === 0 && !isRedirecting && empty}
      {data && data.data.length > 0 && (
        <>
          <Table {...table} rows={data.data} rowKey={({ id }) => id} />
          <Pager pagination={data.pagination} onPage={(next) => change({ page: String(next) })} />
        </>
      )}
    </>
  )
}

interface ListPageProps<Row> extends ListSettings<Row> {
  title: string
  lead: string
  back?: { to: string; label: string } | undefined
  /** Label of the search box. Without it there is no search. */
  search?: string
  /** Filter controls and their names in the URL. */
  filters?: { names: readonly string[]; controls: ReactNode }
  /** Buttons beside the one that creates. */
  actions?: ReactNode
  create?: { label: string; may: Permission; dialog: (close: () => void) => ReactNode }
  empty: { icon: LucideIcon; title: string; text: ReactNode; action?: ReactNode }
  /** Title when the search finds nothing. */
  none?: string
  /** The page of a row. Left out if it has none. */
  to?: (row: Row) => string
  columns: readonly Column<Row>[]
  /** Shown below the list. */
  children?: ReactNode
}

/** The list page of a resource, with search, filters, a create dialog and an empty state. */
export function ListPage<Row extends { id: string }>(props: ListPageProps<Row>) {
  const { title, lead, create, filters, empty, actions } = props
  const may = useMay()
  const { search, q, change } = useListParams()
  const list = useList(props)
  const isFiltered = q !== '' || (filters?.names ?? []).some((name) => search[name])
  // An empty list has the button in its middle.
  const isEmpty = list.data?.data.length === 0 && !isFiltered && !empty.action
  const button = create && may(create.may) && (
    <Button variant="primary" icon={Plus} onClick={() => change({ new: 'yes' })}>
      {create.label}
    </Button>
  )
  return (
    <PageFrame
      title={title}
      lead={lead}
      {...(props.back && { back: props.back })}
      actions={
        <>
          {actions}
          {!isEmpty && button}
        </>
      }
    >
      {props.search && (
        <div className="toolbar">
          <SearchBox label={props.search} value={q} onChange={(text) => change({ q: text, page: undefined })} />
          {filters?.controls}
        </div>
      )}
      {list.data?.message && <p className="muted small">{list.data.message}</p>}
      <Listing
        list={list}
        label={title}
        {...(props.to && { to: props.to })}
        columns={props.columns}
        empty={
          isFiltered ? (
            <Empty icon={empty.icon} title={props.none ?? 'No results'}>
              Try a different search{filters && ' or clear the filters'}.
            </Empty>
          ) : (
            <Empty icon={empty.icon} title={empty.title} action={empty.action ?? button}>
              {empty.text}
            </Empty>
          )
        }
      />
      {props.children}
      {search.new === 'yes' && create && may(create.may) && create.dialog(() => change({ new: undefined }))}
    </PageFrame>
  )
}

/** The first column of most lists. */
export const nameColumn = {
  title: 'Name',
  cell: ({ name, description }: { name: string; description: string | null }) => (
    <>
      {name}
      {description && <span className="muted two-lines">{description}</span>}
    </>
  ),
}
