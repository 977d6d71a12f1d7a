/**
 * Access control lists of Kafka. {@link dev.abacus.schemas.access.Role} has the least set of each
 * role as {@link dev.abacus.schemas.access.RequiredAcl}s; {@link
 * dev.abacus.schemas.access.AclCheck} compares it with the cluster; {@link
 * dev.abacus.schemas.access.RoleAccess} is what a process uses.
 */
@NullMarked
package dev.abacus.schemas.access;

import org.jspecify.annotations.NullMarked;
