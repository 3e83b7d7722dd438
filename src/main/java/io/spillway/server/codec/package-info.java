/**
 * Domain records as JSON and back, exactly: what is read equals what was written, so that the state
 * digest is the same after a restart. Sealed types carry their simple name under {@code "@"}, names
 * and money are plain values, times are ISO text, absent optionals are left out.
 *
 * <p>Whatever is stored carries a format number; format N and N-1 are read. A renamed or removed
 * record component is a new format.
 */
package io.spillway.server.codec;
