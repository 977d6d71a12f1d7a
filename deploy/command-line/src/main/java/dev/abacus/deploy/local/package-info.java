/**
 * Services for the local stack and the integration tests, without containers or installation.
 *
 * <p>Reading order: {@link dev.abacus.deploy.local.LocalKafka} is a broker in this JVM, {@link
 * dev.abacus.deploy.local.LocalRegistry} a schema registry in a child JVM ({@link
 * dev.abacus.deploy.local.ChildJvm}, which {@code ParentWatchdog} ends together with this JVM).
 * {@link dev.abacus.deploy.local.LocalStack} combines them with models, worker and optimizer.
 */
@NullMarked
package dev.abacus.deploy.local;

import org.jspecify.annotations.NullMarked;
