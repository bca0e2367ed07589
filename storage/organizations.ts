/**
 * Organizations and their members. `createOrganization` also opens the four ledger accounts (a trigger does).
 */
import { type Database, Prisma } from "./database.ts";

export const RETENTIONS = ["none", "24h", "7d", "30d"] as const;
export type Retention = (typeof RETENTIONS)[number];

export interface Organization {
  id: string;
  slug: string;
  defaultRetention: Retention;
  /** Decimal text, or null when there is no cap. Shown, never enforced. */
  spendCapEur: string | null;
  creditLowThresholdEur: string | null;
  /** Transcripts queued or processing at once. */
  inFlightLimit: number;
  /** Of each of its keys. */
  requestsPerMinute: number;
  createdAt: Date;
}

export class OrganizationExists extends Error {
  override name = "OrganizationExists";
}

export interface NewOrganization {
  /** Lower case letters, digits and inner hyphens, at most 63. */
  slug: string;
  defaultRetention?: Retention;
  spendCapEur?: string | null;
  creditLowThresholdEur?: string | null;
}

/** Rejects with OrganizationExists when the slug is taken. */
export async function createOrganization(db: Database, wanted: NewOrganization): Promise<Organization> {
  try {
    return present(await db.organization.create({ data: wanted }));
  } catch (error) {
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2002") {
      throw new OrganizationExists(`there is an organization named ${wanted.slug} already`);
    }
    throw error;
  }
}

export async function readOrganization(db: Database, id: string): Promise<Organization | null> {
  const row = await db.organization.findUnique({ where: { id } });
  return row && present(row);
}

/** By slug, or by id where the name has a uuid's form. */
export async function findOrganization(db: Database, name: string): Promise<Organization | null> {
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(name);
  const row = await db.organization.findFirst({
    where: isId ? { OR: [{ id: name }, { slug: name }] } : { slug: name },
  });
  return row && present(row);
}

export const MEMBER_ROLES = ["owner", "billing", "developer", "viewer"] as const;

/** Repeating it for the same address changes the role. */
export async function putMember(
  db: Database,
  member: { organizationId: string; email: string; role: (typeof MEMBER_ROLES)[number] },
): Promise<void> {
  const email = member.email.toLowerCase();
  const { organizationId, role } = member;
  await db.member.upsert({
    where: { organizationId_email: { organizationId, email } },
    create: { organizationId, email, role },
    update: { role },
  });
}

function present(row: Prisma.OrganizationGetPayload<object>): Organization {
  return {
    id: row.id,
    slug: row.slug,
    defaultRetention: row.defaultRetention as Retention,
    spendCapEur: row.spendCapEur?.toFixed(9) ?? null,
    creditLowThresholdEur: row.creditLowThresholdEur?.toFixed(9) ?? null,
    inFlightLimit: row.inFlightLimit,
    requestsPerMinute: row.requestsPerMinute,
    createdAt: row.createdAt,
  };
}
