/** A Kafka Streams application with a program inside, as docs/java.md shows it. */
@NullMarked
package dev.abacus.deploy.embedded;

import org.jspecify.annotations.NullMarked;
