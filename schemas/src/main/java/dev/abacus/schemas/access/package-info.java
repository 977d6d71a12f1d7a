/**
 * Access control lists of Kafka. {@link dev.abacus.schemas.access.Role} is the table of what each
 * role needs on which {@link dev.abacus.schemas.access.Resource}, for one cluster and program
 * {@link dev.abacus.schemas.access.RequiredAcl}s; {@link dev.abacus.schemas.access.AclCheck}
 * compares it with the cluster; {@link dev.abacus.schemas.access.RoleAccess} is what a process
 * uses.
 */
@NullMarked
package dev.abacus.schemas.access;

import org.jspecify.annotations.NullMarked;
