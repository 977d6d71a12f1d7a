/**
 * What a local stack and the integration tests run on, without containers and without installing
 * anything.
 *
 * <p>Reading order: {@link dev.abacus.deploy.local.LocalKafka} is a broker inside this JVM; {@link
 * dev.abacus.deploy.local.LocalRegistry} a schema registry in a child JVM, which dies with this one
 * because {@code DieWithParent} watches the pipe between them. Each starts with a static method
 * that returns when it is ready, and stops with {@code close()}.
 */
@NullMarked
package dev.abacus.deploy.local;

import org.jspecify.annotations.NullMarked;
